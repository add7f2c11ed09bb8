import type { Row } from '../source.ts'
import type { PrismaMapped } from './describe.ts'

/** The methods of a model in the client. */
export interface Delegate {
  findMany(args: object): Promise<readonly Row[]>
  findFirst(args: object): Promise<Row | null>
  count(args: object): Promise<number>
  create(args: object): Promise<Row>
  createMany(args: object): Promise<{ readonly count: number }>
  createManyAndReturn(args: object): Promise<readonly Row[]>
  updateManyAndReturn(args: object): Promise<readonly Row[]>
  updateMany(args: object): Promise<{ readonly count: number }>
  deleteMany(args: object): Promise<{ readonly count: number }>
  aggregate(args: object): Promise<Row>
  groupBy(args: object): Promise<readonly Row[]>
}

/** The client, or that of a transaction. */
export interface RawClient {
  /** Extended clients have none. */
  readonly $on?: unknown
  $executeRawUnsafe(query: string, ...values: readonly unknown[]): Promise<number>
  $queryRawUnsafe(query: string, ...values: readonly unknown[]): Promise<readonly Row[]>
  $transaction<T>(work: (inside: RawClient) => Promise<T>, options: object): Promise<T>
}

export const delegateOf = (client: RawClient, { delegate }: PrismaMapped): Delegate =>
  Reflect.get(client, delegate)

/** What runs statements: the client, or a transaction. */
export interface PrismaHandle {
  readonly client: RawClient
  readonly isTransaction: boolean
}
