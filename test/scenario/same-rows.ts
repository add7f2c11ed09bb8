import { hashPassword } from 'modelrest'
import { demoUser } from '../../examples/shop/demo-user.ts'
import { orderStatus } from '../../examples/shop/models/values.ts'
import {
  categoryRows,
  customerRows,
  orderItemRows,
  orderRows,
  productCategoryRows,
  productRows,
} from '../../examples/shop/rows.ts'

/** A shop of 100 products with its demo user: rows by model, those first that others refer to. */
export const sameRows = async (): Promise<Readonly<Record<string, readonly object[]>>> => {
  const products = productRows(100)
  return {
    Product: products,
    Category: categoryRows(),
    ProductCategory: productCategoryRows(100),
    Customer: customerRows(),
    Order: orderRows(),
    OrderItem: orderItemRows(products),
    User: [{ ...demoUser, name: 'Demo', password: await hashPassword(demoUser.password) }],
  }
}

/** Statements that make the enums of the example's tables types of PostgreSQL, as other ORMs have them. */
export const withEnums = (orders: string, auditEntries: string): readonly string[] => {
  const values = orderStatus.map((name) => `'${name}'`).join(', ')
  const typed = (table: string, type: string): readonly string[] => [
    `alter table ${table} alter column status drop default`,
    `alter table ${table} alter column status type "${type}" using status::"${type}"`,
  ]
  return [
    ...[...new Set([orders, auditEntries])].map((type) => `create type "${type}" as enum (${values})`),
    ...typed('orders', orders),
    `alter table orders alter column status set default 'pending'`,
    ...typed('audit_entries', auditEntries),
  ]
}
