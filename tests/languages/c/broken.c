// problems: syntax not understood at line 5
int whole(void) { return other(); }
//  ^ defines: function whole

int torn( { after(;
