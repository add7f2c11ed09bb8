import {
  BeforeInsert,
  BeforeUpdate,
  Column,
  DeleteDateColumn,
  Entity,
  ManyToOne,
  OneToMany,
  PrimaryGeneratedColumn,
} from 'typeorm'

@Entity()
export class Customer {
  @PrimaryGeneratedColumn()
  id!: number

  @Column('varchar', { length: 100 })
  name!: string

  @OneToMany('Order', 'customer')
  orders!: Order[]
}

@Entity()
export class Order {
  @PrimaryGeneratedColumn()
  id!: number

  @Column('varchar', { length: 200 })
  note!: string

  @Column('decimal', { precision: 10, scale: 2 })
  total!: number

  @Column('int')
  customerId!: number

  @ManyToOne('Customer', 'orders', { nullable: false })
  customer!: Customer

  @DeleteDateColumn()
  deletedAt!: Date | null

  @BeforeInsert()
  @BeforeUpdate()
  trim(): void {
    this.note = this.note.trim()
  }
}
