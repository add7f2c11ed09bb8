/** What is tested in turn, by the number of the commit: `npm test` sets it. Without one, everything is tested. */
const { MATRIX: given } = process.env

const numberOf = (turn: string | undefined): number | undefined => {
  if (turn === undefined || turn === '') return undefined
  if (!/^\d+$/.test(turn)) throw new Error(`MATRIX=${turn} has no turn.`)
  return Number(turn)
}

/**
 * Those of equivalent subjects of a test, such as ORMs, that are tested in this turn.
 *
 * @param turns how many turns test all
 */
export const inTurn = <T>(
  all: readonly T[],
  turns: number,
  turn: string | undefined = given,
): readonly T[] => {
  const number = numberOf(turn)
  return number === undefined ? all : all.filter((_, place) => place % turns === number % turns)
}

/** The contract of a source, for each ORM beside Drizzle on each database: names of test files in `test/source`. */
const contracts: Readonly<Record<string, Readonly<Record<'sqlite' | 'pg' | 'mysql', readonly string[]>>>> = {
  prisma: {
    sqlite: ['adapter-better-sqlite3', 'adapter-libsql'],
    ...{ pg: ['adapter-pg'], mysql: ['adapter-mariadb'] },
  },
  typeorm: { sqlite: ['sqlite'], pg: ['postgres'], mysql: ['mysql'] },
  sequelize: { sqlite: ['sqlite'], pg: ['postgres'], mysql: ['mysql'] },
  'mikro-orm': { sqlite: ['sqlite'], pg: ['postgres'], mysql: ['mysql'] },
}

/** The files of all pairs. */
export const everyPair: readonly string[] = Object.entries(contracts).flatMap(([orm, databases]) =>
  Object.values(databases).flatMap((names) => names.map((name) => `test/source/${orm}/${name}.test.ts`)),
)

/**
 * The files of the pairs that are tested in one turn: each ORM on one database, and each database with an ORM. Three turns test all.
 *
 * @param turn any number that counts up, such as that of the commit
 */
export const pairsIn = (turn: number): readonly string[] =>
  Object.entries(contracts).flatMap(([orm, databases], place) => {
    const all = Object.values(databases)
    const names = all[(turn + place) % all.length] ?? []
    return names.map((name) => `test/source/${orm}/${name}.test.ts`)
  })

/** The contract of Drizzle's source with each driver of a database that has several. */
const driversOfDrizzle = [
  ['better-sqlite3', 'libsql', 'sqlite-proxy'],
  ['pglite', 'node-postgres', 'postgres-js'],
].map((names) => names.map((name) => [`test/source/drizzle/${name}.test.ts`]))

const scenariosOfOrms = [
  ['prisma', 'mikro-orm'],
  ['typeorm', 'sequelize'],
].map((names) => names.map((name) => `test/scenario/${name}.test.ts`))

/** Tests that install the packages of one host, ORM or database each. The groups take about the same time. */
const installations = [
  ['next'],
  ['init/servers'],
  ['host-examples'],
  ['platforms', 'mikro-orm-example', 'sequelize-example'],
  ['prisma-example', 'typeorm-example'],
].map((names) => names.map((name) => `test/package/${name}.test.ts`))

/** Sets of groups of files. One group of each set is tested in a turn. */
export const sets: readonly (readonly (readonly string[])[])[] = [
  ...driversOfDrizzle,
  scenariosOfOrms,
  installations,
  // The other clients, in one file, take turns too.
  [[], [], ['test/clients/java-jackson.test.ts']],
]

/** The files that are left out. Without a turn, none. */
export const outOfTurn = (turn: string | undefined): readonly string[] => {
  const number = numberOf(turn)
  if (number === undefined) return []
  const chosen = [...pairsIn(number), ...sets.flatMap((groups) => inTurn(groups, groups.length, turn).flat())]
  return [...everyPair, ...sets.flat(2)].filter((file) => !chosen.includes(file))
}
