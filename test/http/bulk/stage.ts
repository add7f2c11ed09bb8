import type { Answer } from '../../stage/requests.ts'
import { kindsOf, pairOf } from '../../stage/service.ts'
import { type ShopOptions, type StartShop, shops } from '../../stage/shop.ts'

export { open, refusalOf, type Shop } from '../../stage/shop.ts'

/** All models of the shop take bulk writes. */
const withBulk =
  (start: StartShop): StartShop =>
  (options: ShopOptions = {}) =>
    start({ ...options, bulk: true })

const starts = {
  ...{ oneTick: withBulk(shops.oneTick), pglite: withBulk(shops.pglite) },
  mariadb: withBulk(shops.mariadb),
}

export const onSqlite = starts.oneTick
export const bothStages = pairOf(starts)
export const stages = kindsOf(starts)

/** A response that is an array. */
export const listOf = ({ text }: Answer): readonly Readonly<Record<string, unknown>>[] => {
  const given: unknown = JSON.parse(text)
  if (!Array.isArray(given)) throw new Error(`Not an array: ${text.slice(0, 500)}`)
  return given
}

export const numbered = <T>(length: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length }, (_, at) => make(at))

/** The statements that change or read records. */
export const ownStatements = (taken: readonly string[]): readonly string[] =>
  taken.filter(
    (text) => !/^(begin|start transaction|commit|rollback|savepoint|release|select version)/i.test(text),
  )
