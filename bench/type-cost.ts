// node bench/type-cost.ts: what types cost the compiler. A project of 100 models of 10 columns is checked with its tables
// alone, with 20 controllers' worth of code by hand, then with what modelrest adds, step by step. `npm run build` goes
// first.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const MODELS = 100
const CONTROLLERS = 20
const RUNS = 5
const apps = ['shop', 'blog', 'stock', 'staff']

const words = ['order', 'item', 'price', 'category', 'box', 'person', 'address', 'invoice', 'tag', 'city']
const plurals = [
  ...[
    'orders',
    'items',
    'prices',
    'categories',
    'boxes',
    'people',
    'addresses',
    'invoices',
    'tags',
    'cities',
  ],
]
const capital = (word = ''): string => word.slice(0, 1).toUpperCase() + word.slice(1)
/** `orderPeople`, and what its model is called: `OrderPerson`. */
const kinds = Array.from({ length: MODELS }, (_, index) => {
  const [front, back] = [words[Math.floor(index / 10)] ?? '', index % 10]
  return {
    key: front + capital(plurals[back]),
    model: capital(front) + capital(words[back]),
    app: apps[index % apps.length] ?? '',
  }
})

const table = ({ key }: { readonly key: string }): string => `
export const ${key} = sqliteTable('${key}', {
  id: integer().primaryKey({ autoIncrement: true }),
  tenantId: integer().notNull(),
  name: text({ length: 100 }).notNull(),
  code: text({ length: 20 }).notNull().unique(),
  amount: integer().notNull().default(0),
  ratio: real(),
  active: integer({ mode: 'boolean' }).notNull().default(true),
  status: text({ enum: ['draft', 'live', 'gone'] }).notNull().default('draft'),
  data: text({ mode: 'json' }).$type<{ readonly note: string }>(),
  startsAt: integer({ mode: 'timestamp' }),
})
`

const imports = apps.map((app) => `import * as ${app} from './${app}.ts'`).join('\n')
const tables = {
  ...Object.fromEntries(
    apps.map((app) => [
      `${app}.ts`,
      `import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'\n${kinds
        .filter((kind) => kind.app === app)
        .map(table)
        .join('')}`,
    ]),
  ),
  'db.ts': `import { drizzle } from 'drizzle-orm/better-sqlite3'
${imports}
export const db = drizzle('shop.db', { schema: { ${apps.map((app) => `...${app}`).join(', ')} } })
`,
}

const models = {
  'models.ts': `import { drizzleModels } from 'modelrest/drizzle'
import { db } from './db.ts'
${imports}
export const models = drizzleModels(db, { ${apps.join(', ')} })
declare module 'modelrest' {
  interface Register {
    models: typeof models
  }
}
`,
}

const [first, second] = kinds.filter(({ app }) => app === 'shop').map(({ model }) => model)
const options = {
  'api.ts': `import Fastify from 'fastify'
import { ModelRest } from 'modelrest/fastify'
import { models } from './models.ts'
export const rest = new ModelRest(Fastify(), {
  models,
  exclude: { shop: ['${first}'], blog: new Set([]) },
  modelConfig: { ${second}: { hidden: ['code'], readOnly: { amount: true }, search: ['name'] } },
})
export const schemas = rest.schemas('${second}')
`,
}

const controllers = Object.fromEntries(
  kinds.slice(0, CONTROLLERS).map(({ model, app, key }, index) => [
    `controllers/${key}.ts`,
    index % 2 === 0
      ? `import { controllerFor } from 'modelrest/fastify'
import { ${key} } from '../${app}.ts'
export const ${model}Controller = controllerFor('${model}', {
  beforeCreate: (request, payload) => ({ ...payload, name: payload.name + String(request.headers['x-tenant']) }),
  afterCreate(_request, record, context) {
    context.db.insert(${key}).values({ name: record.name, tenantId: record.tenantId, code: record.code }).run()
  },
  scope: () => ({ tenantId: 7, status: ['draft', 'live'] }),
})
`
      : `import { BaseModelController, type BeforeUpdate, controllerFor, type ScopeHook } from 'modelrest/fastify'
export const ${model}Controller = controllerFor('${model}', class extends BaseModelController {
  static beforeUpdate: BeforeUpdate<'${model}'> = (_request, record, payload) => ({ ...payload, amount: record.amount + 1 })
  static scope: ScopeHook<'${model}'> = (request) => ({ name: request.id })
})
`,
  ]),
)

/** An action with input, and one without, in each of as many controllers of other models. */
const actions = Object.fromEntries(
  kinds.slice(CONTROLLERS, 2 * CONTROLLERS).map(({ key, model }) => [
    `controllers/${key}.ts`,
    `import { action, controllerFor } from 'modelrest/fastify'
import { z } from 'zod'
export const ${model}Controller = controllerFor('${model}', {
  permissions: { close: 'authenticated' },
  actions: {
    close: action({
      on: 'record',
      input: z.object({ reason: z.string().min(3) }),
      run: (_request, record, { reason }) => ({ status: 'gone', name: record.name + reason }),
    }),
    reopen: action({ on: 'record', run: () => ({ status: 'live' }) }),
  },
})
`,
  ]),
)

/** What the controllers do, written without modelrest: rows of these tables cost so much by themselves. */
const byHand = {
  'api.ts': `import Fastify from 'fastify'\nexport const app = Fastify()\n`,
  ...Object.fromEntries(
    kinds.slice(0, CONTROLLERS).map(({ app, key }) => [
      `controllers/${key}.ts`,
      `import type { FastifyRequest } from 'fastify'
import { db } from '../db.ts'
import { ${key} } from '../${app}.ts'
type New = typeof ${key}.$inferInsert
type Row = typeof ${key}.$inferSelect
export const beforeCreate = (request: FastifyRequest, payload: New): New => ({
  ...payload,
  name: payload.name + String(request.headers['x-tenant']),
})
export const afterCreate = (record: Row): void => {
  db.insert(${key}).values({ name: record.name, tenantId: record.tenantId, code: record.code }).run()
}
`,
    ]),
  ),
}

const config = {
  compilerOptions: {
    ...{ target: 'es2023', module: 'nodenext', noEmit: true, strict: true, skipLibCheck: true },
    ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, allowImportingTsExtensions: true },
    types: ['node'],
  },
  include: ['**/*.ts'],
}

const write = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

const measured = ['Files', 'Types', 'Instantiations', 'Memory used', 'Check time', 'Total time'] as const
type Measured = Record<(typeof measured)[number], number>

/** Seconds, kilobytes or pieces. */
const diagnose = (folder: string, flags: readonly string[]): Measured => {
  const output = execFileSync(
    resolve('node_modules/.bin/tsc'),
    ['-p', folder, '--extendedDiagnostics', ...flags],
    { encoding: 'utf8' },
  )
  const figure = (name: string): number => Number(new RegExp(`^${name}: +([\\d.]+)`, 'm').exec(output)?.[1])
  return Object.fromEntries(measured.map((name) => [name, figure(name)])) as Measured
}

const best = (runs: readonly Measured[]): Measured =>
  runs.toSorted((a, b) => a['Check time'] - b['Check time'])[0] ?? ({} as Measured)

const steps: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'tables, db': tables,
  'tables, and the same by hand': { ...tables, ...byHand },
  '+ models, Register': { ...tables, ...models },
  '+ options': { ...tables, ...models, ...options },
  [`+ ${CONTROLLERS} controllers`]: { ...tables, ...models, ...options, ...controllers },
  [`+ ${2 * CONTROLLERS} actions`]: { ...tables, ...models, ...options, ...controllers, ...actions },
}

const root = resolve('test/.tmp/type-cost')
rmSync(root, { recursive: true, force: true })
mkdirSync(join(root, 'node_modules'), { recursive: true })
symlinkSync(resolve('.'), join(root, 'node_modules/modelrest'))

try {
  const folders = Object.entries(steps).map(([name, files], index) => {
    const folder = join(root, `step-${index}`)
    write(folder, {
      ...files,
      'tsconfig.json': JSON.stringify(config),
      'package.json': '{ "type": "module" }',
    })
    return { name, folder }
  })
  for (const flags of [['--singleThreaded'], []]) {
    const runs = folders.map(({ folder }) => ({ folder, results: [] as Measured[] }))
    // In turns, so that what else the machine does meets all of them.
    for (let turn = 0; turn < RUNS; turn += 1) {
      for (const { folder, results } of runs) results.push(diagnose(folder, flags))
    }
    const rows = runs.map(({ results }) => best(results))
    const base = rows[0]
    const row = (figures: Measured) => ({
      ...figures,
      'check x': base && (figures['Check time'] / base['Check time']).toFixed(2),
      'total x': base && (figures['Total time'] / base['Total time']).toFixed(2),
    })
    console.log(`\n${MODELS} models, best of ${RUNS} runs ${flags.join(' ') || '(threads as tsc likes)'}`)
    console.table(Object.fromEntries(rows.map((figures, index) => [folders[index]?.name, row(figures)])))
  }
} finally {
  rmSync(root, { recursive: true, force: true })
}
