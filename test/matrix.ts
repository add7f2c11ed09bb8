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

/** Tests that install the packages of one host, ORM or database each. The groups take about the same time. */
export const installations: readonly (readonly string[])[] = [
  ['next', 'prisma-example'],
  ['init/servers', 'typeorm-example', 'sequelize-example'],
  ['host-examples', 'platforms', 'mikro-orm-example'],
].map((names) => names.map((name) => `test/package/${name}.test.ts`))

/** The files that are left out. Without a turn, none. */
export const outOfTurn = (turn: string | undefined): readonly string[] => {
  if (turn === undefined || turn === '') return []
  if (!/^\d+$/.test(turn)) throw new Error(`MATRIX=${turn} has no turn.`)
  const installed = installations[Number(turn) % installations.length] ?? []
  const chosen = [...pairsIn(Number(turn)), ...installed]
  return [...everyPair, ...installations.flat()].filter((file) => !chosen.includes(file))
}
