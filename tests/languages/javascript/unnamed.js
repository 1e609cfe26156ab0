// binds: default =  : unnamed
const supported = typeof window;

export default supported && function (config) {
  //           ^ defines: function unnamed
  //           ^ flagged: public
  //           ^ refers: access supported
  return send(config);
  //     ^ refers: call send (_)
  //     ^ by: unnamed
};
