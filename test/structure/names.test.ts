import { expect, test } from 'vitest'
import { ambiguousNames, type Role, unneededRoles } from './names.ts'
import { readSources } from './source-files.ts'

const roles: readonly Role[] = [
  {
    folders: ['drizzle', 'mikro-orm', 'prisma', 'sequelize', 'sql', 'typeorm'].map(
      (name) => `source/${name}/`,
    ),
    names: [
      ...['Classes', 'DeclaredEntities', 'DeclaredEntity', 'Entities', 'EntityColumn', 'EntityMember'],
      ...['EntityModel', 'Execution', 'MappedEntity', 'OBSERVE', 'changesOf', 'classesOf', 'classesWith'],
      ...['codecOf', 'creatingIn', 'databaseOf', 'describeEntities', 'describeTables', 'engineOf', 'factsOf'],
      ...['fieldsOf', 'foreignKeysOf', 'hasListeners', 'inOneTransaction', 'isOfStatement', 'listenedAct'],
      ...[
        'loggable',
        'observesCalls',
        'readErrorOf',
        'shownAfter',
        'shownIn',
        'spellingIn',
        'statementsOf',
        'writtenRow',
      ],
    ],
  },
  { folders: ['app/', 'entry/', 'nest/'], names: ['ModelRest', 'registerAuthRoutes'] },
  {
    folders: ['source/drizzle/columns/'],
    names: [
      ...['ApiKeysTable', 'AuditTable', 'UsersTable', 'apiKeysTable', 'auditTable'],
      ...['file', 'image', 'usersTable'],
    ],
  },
]

/** Names with several meanings, and how many. Rename one of them, and remove or lower its line: the list only shrinks. */
const ambiguous: Readonly<Record<string, number>> = {
  ...{ Column: 2, InputOf: 2, Limits: 2, ModelOf: 2, Path: 2, Registered: 2, Row: 2 },
}

const sources = readSources('src')

test('a name that a file exports means one thing', () => {
  expect(ambiguousNames(sources, roles)).toEqual(ambiguous)
})

test('every role is needed', () => {
  expect(unneededRoles(sources, roles)).toEqual([])
})

const files = {
  'model/a.ts': 'export interface Place {}\nexport const keysOf = 1\ntype Own = 1\nconst local = 1',
  'query/b.ts': 'type Place = 1\nexport function keysOf() {}\nconst local = 2\ntype Own = 2',
  'query/c.ts': `export { keysOf } from './b.ts'\nexport class Other {}`,
  'source/x/d.ts': 'export const keysOf = 3\nexport const rowOf = 1',
  'source/y/e.ts': 'export const keysOf = 4',
}
const planted = Object.entries(files).map(([path, text]) => ({ path, text }))

test('exported names with several meanings are found, and those of a role are one', () => {
  expect(ambiguousNames(planted, [])).toEqual({ Place: 2, keysOf: 4 })
  const role = { folders: ['source/x/', 'source/y/'], names: ['keysOf', 'rowOf'] }
  expect(ambiguousNames(planted, [role])).toEqual({ Place: 2, keysOf: 3 })
  expect(unneededRoles(planted, [role])).toEqual(['rowOf'])
})
