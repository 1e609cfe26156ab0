**free
ctl-opt main(Start) dftactgrp(*no);
//! imports: COPY_MBRS/SRV_STR_P, STORE, QRPGLEREF/CONSTANTS
/include ../Copy_Mbrs/SRV_STR_P.RPGLE
/copy store
  /include 'qrpgleref/constants.rpgleinc'
dcl-f depts workstn sfile(SFLDTA: rrn);
dcl-s rrn zoned(4:0) inz; dcl-s names varchar(20) dim(10);
dcl-c PROGRAM_NAME 'NIGHTLY';
dcl-pr Employees extpgm;
  DepartmentNumber char(3);
end-pr;
dcl-pr format varchar(50) overload(formatDate: formatTime);
//     ^ overloads: formatDate, formatTime
dcl-pr java_new object(*java: 'java.lang.String') extproc(*java: 'java.lang.String': *constructor) end-pr;
//     ^ stands for:
dcl-pr open int(10) extproc('open');
//     ^ stands for: open
  path pointer value;
end-pr;
dcl-ds customer qualified;
//     ^ defines: struct customer
  number packed(7);
// ^ defines: nothing
  dcl-ds address;
    street char(30);
  end-ds;
  format char(1);
end-ds;
dcl-ds copyOf likeds(customer);
dcl-enum sizes qualified;
//       ^ defines: enum sizes
  small 1;
  large 2;
end-enum;

//======================================
// Where it begins.
//
// Everything else is called from here.
//======================================

dcl-proc Start;
//       ^ defines: procedure Start
//       ^ flagged: entry, public
//       ^ documented: Where it begins. /  / Everything else is called from here.
  dcl-pi *n extpgm('NIGHTLY');
    mode char(1) const;
  end-pi;
  dcl-s here int(10);

  names(3) = 'a; b(' + trimmed('it''s; '); rrn = 0;
//           ^ refers: nothing
//                     ^ refers: call trimmed
//                                         ^ refers: access rrn
  if names(rrn) = other(1) and (here > 2);
//   ^ refers: nothing
//                ^ refers: call other
//                         ^ refers: nothing
    exsr cleanUp;
//       ^ refers: call cleanUp => *SUBR
  endif;
  customer.format(1) = format('x' +
                              '; y(' +
                              'z'); // trailing comment()
//                                ^ refers: nothing
  result(1) = 5;
// ^ refers: nothing
  Employees(mode) ;
// ^ refers: nothing
  callp Employees(mode);
//      ^ refers: call Employees
  monitor;
    here = open(%addr(names));
//         ^ refers: call open
  on-error;
  endmon;
  doIt;
// ^ refers: nothing
  test(de) mode;
// ^ refers: nothing
  chain(n) mode depts;
//              ^ refers: access depts
  exec sql call nightly_batch(:mode);
//              ^ refers: call nightly_batch => *PGM
  exec sql declare c1 cursor for
    select * from sales.orders o join customers c
      on o.id = c.id;
  begsr cleanUp;
//      ^ defines: subroutine Start.cleanUp
    handle(here);
  endsr;
end-proc Start;

dcl-proc formatDate export;
//       ^ flagged: public
  dcl-pi *n varchar(50) end-pi;
  missing_semicolon(1)
end-proc;

dcl-proc formatTime;
//       ^ flagged: private
  return ' ' + PROGRAM_NAME;
//             ^ refers: access PROGRAM_NAME
end-proc;
