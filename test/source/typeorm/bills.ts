import {
  ChildEntity,
  Column,
  DeleteDateColumn,
  Entity,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  TableInheritance,
} from 'typeorm'
import { MANY_RELATIONS } from '../facts.ts'

// What decorators do, in a file that Node runs as it is.
const declare = (
  target: new () => object,
  members: Readonly<Record<string, PropertyDecorator | readonly PropertyDecorator[]>>,
  ...decorators: readonly ClassDecorator[]
): void => {
  for (const [name, own] of Object.entries(members))
    for (const decorator of [own].flat() as readonly PropertyDecorator[]) decorator(target.prototype, name)
  for (const decorator of decorators) decorator(target)
}

class Label {
  declare bills: Bill[]
}
class Bill {
  declare payments: Payment[]
  declare refunds: Refund[]
  declare marks: Label[]
  declare receipts: Receipt[]
}
class Address {}
class Movement {
  declare receipts: Receipt[]
}
class Payment extends Movement {
  declare bill: Bill
  declare labels: Label[]
}
class CardPayment extends Payment {}
export class Refund extends Movement {
  declare bill: Bill
}
class Receipt {
  declare movement: Movement
  declare payment: Payment
}
class Slot {}
class Ticket {}

const text = (options: object = {}): PropertyDecorator => Column({ type: 'varchar', length: 20, ...options })
const id = PrimaryGeneratedColumn()

declare(
  Label,
  {
    id,
    name: text(),
    bills: ManyToMany(
      () => Bill,
      (bill: Bill) => bill.marks,
    ),
  },
  Entity(),
)
declare(
  Bill,
  {
    ...{ id, tenant: Column({ type: 'int', default: 1 }), slug: text({ unique: true, nullable: true }) },
    payments: OneToMany(
      () => Payment,
      (payment) => payment.bill,
    ),
    refunds: OneToMany(
      () => Refund,
      (refund) => refund.bill,
    ),
    marks: [
      ManyToMany(
        () => Label,
        (label: Label) => label.bills,
      ),
      JoinTable(),
    ],
    friends: [ManyToMany(() => Bill), JoinTable()],
    deletedAt: DeleteDateColumn({ nullable: true }),
  },
  Entity(),
)
declare(Address, { city: text({ nullable: true }), bill: ManyToOne(() => Bill, { nullable: true }) })
declare(
  Movement,
  {
    id,
    amount: Column({ type: 'int' }),
    receipts: OneToMany(
      () => Receipt,
      (receipt) => receipt.movement,
    ),
  },
  Entity(),
  TableInheritance({ column: { type: 'varchar', name: 'kind', length: 20 } }),
)
declare(
  Payment,
  {
    bill: ManyToOne(
      () => Bill,
      (bill) => bill.payments,
      { nullable: true },
    ),
    method: Column({ type: 'simple-enum', enum: ['cash', 'card'], nullable: true }),
    labels: [ManyToMany(() => Label), JoinTable()],
    address: Column(() => Address),
  },
  ChildEntity(),
)
declare(CardPayment, { digits: text({ nullable: true }) }, ChildEntity())
declare(
  Refund,
  {
    bill: ManyToOne(
      () => Bill,
      (bill) => bill.refunds,
      { nullable: true },
    ),
    by: [OneToOne(() => Bill, { nullable: true }), JoinColumn()],
  },
  ChildEntity(),
)
declare(
  Receipt,
  {
    id,
    movement: ManyToOne(
      () => Movement,
      (movement) => movement.receipts,
      { nullable: true },
    ),
    payment: ManyToOne(() => Payment, { nullable: true }),
    billed: [ManyToOne(() => Bill, { nullable: true }), JoinColumn({ referencedColumnName: 'slug' })],
  },
  Entity(),
)
declare(
  Slot,
  { room: PrimaryColumn({ type: 'varchar', length: 10 }), place: PrimaryColumn({ type: 'int' }) },
  Entity(),
)
declare(
  Ticket,
  {
    ...{ id, room: text({ length: 10, nullable: true }), place: Column({ type: 'int', nullable: true }) },
    slot: [
      ManyToOne(() => Slot, { nullable: true }),
      JoinColumn([
        { name: 'room', referencedColumnName: 'room' },
        { name: 'place', referencedColumnName: 'place' },
      ]),
    ],
  },
  Entity(),
)

/** Entities that refer to one, which has as many relations. */
const notes = Array.from({ length: MANY_RELATIONS }, (_, at) => {
  const Note = { [`Note${at}`]: class {} }[`Note${at}`] as new () => object
  declare(
    Note,
    {
      id,
      text: text({ nullable: true }),
      bill: ManyToOne(
        () => Bill,
        (bill: object) => Reflect.get(bill, `notes${at}`),
        { nullable: true },
      ),
    },
    Entity(),
  )
  return Note
})
declare(
  Bill,
  Object.fromEntries(
    notes.map((Note, at) => [
      `notes${at}`,
      OneToMany(
        () => Note,
        (note: object) => Reflect.get(note, 'bill'),
      ),
    ]),
  ),
)

export const entities = {
  Label,
  Bill,
  Movement,
  Payment,
  CardPayment,
  Refund,
  Receipt,
  Slot,
  Ticket,
  ...Object.fromEntries(notes.map((Note) => [Note.name, Note])),
}
