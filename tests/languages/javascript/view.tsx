import { Row } from "./row";

export function List({ items }: Props) {
  //            ^ defines: function List
  //                            ^ refers: type Props
  return (
    <div className="x" onClick={() => open(items)}>
      // <- refers: nothing
      //                              ^ refers: call open (_)
      {items.map((item) => <Row key={item.id} {...item} />)}
      //                    ^ refers: call Row ()
      <Form.Field name="a" />
      //    ^ refers: call Field [Form] ()
    </div>
  );
}

const Memo = React.memo(() => <List items={[]} />);
//    ^ defines: variable Memo
//                             ^ refers: call List ()
//                             ^ by: Memo
