     H NOMAIN
      *! problems: procedure trace does not end
      /copy proto
     D counter         S             10I 0

      /if defined(DEBUG)
      // Says what happens.
      dcl-proc trace export;
      *        ^ defines: procedure trace
      *        ^ documented: Says what happens.
      /else
      dcl-proc traceNot;
      /endif
       dcl-pi *n;
         text char(10);
       end-pi;
       snd_msg(text);
      *^ refers: call snd_msg
      end-proc;

     P old             B
     D                 PI
     C/EXEC SQL
     C+ SELECT COUNT(*) INTO :counter FROM STOCK
      *                       ^ refers: access counter
      *                                    ^ refers: access STOCK => *FILE
     C+ WHERE ITEM = :item
     C/END-EXEC
      /free
       snd_msg(counter);
      *^ refers: call snd_msg
      /end-free
     C                   callp     snd_msg('x')
     P                 E
