import type { ModelSource } from '../../src/entry/source.ts'
import type { OpenedSource } from '../../src/testing/index.ts'
import type { MysqlKind } from '../servers/test-mysql.ts'

/** The connections of the pools in these tests. */
const CONNECTIONS = 4

/** Runs a statement by the handle of a transaction. */
type Execute = (db: unknown, statement: string) => unknown

/** On all connections of a pool: as many transactions at once have one each. */
const onAllConnections = async (source: ModelSource, execute: Execute, statement: string): Promise<void> => {
  const all = Promise.withResolvers<void>()
  let begun = 0
  const run = async (): Promise<void> =>
    source.transaction(async ({ db }) => {
      await execute(db, statement)
      begun += 1
      if (begun === CONNECTIONS) all.resolve()
      await all.promise
    })
  await Promise.all(Array.from({ length: CONNECTIONS }, run))
}

/** Statements that change what SQL means after the start. The first one restores it. */
type Statements = readonly [usual: string, ...others: readonly string[]]

const mode = (name: string): string => `set session sql_mode = ${name}`

const conforming = (value: string): string =>
  `select set_config('standard_conforming_strings', '${value}', false), set_config('backslash_quote', 'on', false)`

const modes: Statements = [
  mode('default'),
  ...['', 'NO_BACKSLASH_ESCAPES', 'ANSI,HIGH_NOT_PRECEDENCE'].map((name) => mode(`'${name}'`)),
]

const statements: Readonly<Record<MysqlKind | 'pg', Statements>> = {
  pg: [conforming('on'), conforming('off')],
  ...{ mysql: modes, mariadb: modes },
}

/** The settings of a server that the strings of the contract are tested with. @param isTested leaves some out */
export const settingsOf = (
  server: MysqlKind | 'pg',
  source: ModelSource,
  execute: Execute,
  isTested: (statement: string) => boolean = () => true,
): Required<Pick<OpenedSource, 'settings'>> => {
  const [usual, ...others] = statements[server]
  return {
    settings: {
      names: others.filter(isTested),
      set: (name = usual) => onAllConnections(source, execute, name),
    },
  }
}
