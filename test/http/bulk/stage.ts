import type { Subject } from '../../needed-program.ts'
import type { Answer } from '../../stage/requests.ts'
import { type ShopOptions, type Start, servers, shops } from '../together/stage.ts'

export { refusalOf, type Shop } from '../together/stage.ts'

/** All models of the shop take bulk writes. */
const withBulk =
  (start: Start): Start =>
  ({ modelConfig = {}, ...options }: ShopOptions = {}) => {
    const names = ['Order', 'Product', 'Item', 'Note', 'Label', 'Tag']
    const bulk = Object.fromEntries(
      names.map((name) => [name, { bulk: true, ...(Reflect.get(modelConfig, name) as object | undefined) }]),
    )
    return start({ ...options, modelConfig: { ...modelConfig, ...bulk } as never })
  }

export const stages: readonly Subject<Start>[] = [
  ...shops.map(([name, start]) => [name, withBulk(start)] as const),
  ['PostgreSQL', withBulk(servers.postgres), 'postgres'],
  ['MariaDB', withBulk(servers.mariadb), 'mariadb'],
  ['MySQL', withBulk(servers.mysql), 'mysql'],
]

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
