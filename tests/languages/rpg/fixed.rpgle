     H DFTACTGRP(*NO) BNDDIR('QC2LE')
     FCUSTMAST  IF   E           K DISK
      *          ^ defines: nothing
      *! imports: QRPGLESRC/STORE_H, ERRNO_H
     D/COPY QRPGLESRC,STORE_H
      /copy ../errno_h
     D count           S             10I 0
      *^ defines: variable count
     D LIMIT           C                   CONST('PAYROLL')

      *  Writes one line of the log.
      *------------------------------
     D writeLine       PR            10I 0 EXTPROC('write_line')
      *^ defines: prototype writeLine
      *^ stands for: write_line
      *^ documented: Writes one line of the log.
      *^ spans: 11-19
     D   text                       256A   varying const
     D   width                       10I 0 value options(*nopass)

     D runReport       PR                  EXTPGM('REPORTS')
      *^ stands for: REPORTS *PGM
     D customer        DS                  QUALIFIED
      *^ signed: data structure customer qualified
     D  number                        7P 0
     D  name                         30A
     C     *ENTRY        PLIST
     C                   PARM                    mode              1
     C                   EXSR      loadAll
      *                            ^ refers: call loadAll => *SUBR
     C                   CALL      'LIB/OLDPGM'
      *                                 ^ refers: call OLDPGM => *PGM
     C                   CALL      LIMIT
      *                            ^ refers: call PAYROLL => *PGM
     C                   CALLB     'bound_one'
      *                             ^ refers: call bound_one => *PROC
     C     count         CASEQ     1             loadAll
      *                                          ^ refers: call loadAll => *SUBR
     C     mode          CHAIN     CUSTMAST
      *                            ^ refers: access CUSTMAST
     C                   eval      *inlr = *on
     C                   return
     C     loadAll       BEGSR
      *    ^ defines: subroutine fixed.loadAll
      *    ^ flagged: private
     C                   callp     runReport
      *                            ^ refers: call runReport
      *                            ^ by: fixed.loadAll
     C                   ENDSR

      ** Deprecated. See: addAll
      **
     P add_them_all...
      *^ defines: procedure add_them_all_up
      *^ flagged: deprecated, public
      *^ signed: add_them_all_up(first 10I 0 value: rates 5P 2 dim(12)) 10I 0 export
     P   _up           B                   EXPORT
     D                 PI            10I 0
     D   first                       10I 0 value
     D   rates                        5P 2 dim(12)
     D total           S             10I 0
      *^ defines: nothing
     C                   eval      total = sum_up(first: rates(1)
      *                                    ^ refers: call sum_up
      *                                                  ^ refers: nothing
     C                             : width_of_a_long...
     C                             _name(3))
      *                            ^ refers: nothing
     C                   eval      rates(2) = other_array(3) + %abs(total)
      *                            ^ refers: nothing
      *                                       ^ refers: call other_array
     C                   if        count > 0 and (total < 1)
      *                            ^ refers: access count
      *                                      ^ refers: nothing
     C                   callp     writeLine('callp ignored(x)' +
     C                              ' and so on(' : 80)
      *                                ^ refers: nothing
     C                   endif
     C                   callp(e)  start(%paddr('write_line'))
      *                            ^ refers: call start
      *                                          ^ refers: access write_line => *PROC
     C                   return    total
     P                 E

     P unfinished      B
      *! problems: procedure unfinished does not end
     C                   callp     writeLine('x')
**  compile-time data
     C                   callp     never
