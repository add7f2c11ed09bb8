import { expect, test } from 'vitest'
import { type Exceptions, looseLookups } from './lookups.ts'
import { readSources } from './source-files.ts'

/** Lookups that are right, by the reason. */
const exceptions: Exceptions = {
  'the name is one of a list of ours in the same file, or of a union': [
    ...['parsed[name]', 'most[name]', 'hashParameters[name]'].map(
      (text) => `auth/passwords/passwords.ts ${text}`,
    ),
    'auth/authenticate.ts parseCookie(header)[cookieNames[type]]',
    'controller/class.ts name in controller',
    'controller/class.ts hookTable[name]',
    'controller/class.ts hookTable[name]',
    'controller/hooks.ts controller?.hooks[name]',
    'controller/hooks.ts hookTable[name]',
    ...['permissions[known]', 'hooks[known]', 'hookTable[known]'].map(
      (text) => `app/registration.ts ${text}`,
    ),
    'error/errors.ts most[as]',
    ...['driver[method]', 'driver[method]'].map((text) => `source/typeorm/database.ts ${text}`),
    'host/fastify/paths.ts initialConfig.routerOptions?.[name]',
    'host/fastify/paths.ts initialConfig[name]',
    'host/fastify/docs.ts schema[name]',
    'model/setup/field-access.ts choices[key]',
    'model/setup/field-access.ts openers[byItself]',
    'model/kinds/index.ts narrowed[conditions]',
    'openapi/docs-page.ts assets[name]',
    'openapi/operations.ts loaded[reply]',
    'openapi/host-routes.ts item?.[method]',
    'app/options.ts Object(observer)[name]',
    ...['mostIn[parameter]', 'mostIn[parameter]', 'accepts[fn]', 'accepts[fn]'].map(
      (text) => `query/aggregate.ts ${text}`,
    ),
    'query/aggregate-rows.ts functions[aggregate.fn]',
    'query/date-parts.ts startsOf[part]',
    'resource/write/checked.ts controller?.hooks[afterHooks[event]]',
    'resource/write/start-checks.ts controller?.hooks[hook]',
    'resource/read/aggregate.ts functionWriters[column.fn]',
    'schema/example.ts codes[known]',
    "schema/zod.ts zodKinds[field.kind][isReply(which) ? 'reply' : 'body']",
    'app/signing-key.ts signed[purpose]',
    'auth/settings/index.ts settings[name]',
    'auth/settings/index.ts settings[hook]',
    'auth/mails.ts settings[mail.hook]',
    'source/drizzle/index.ts dialectRows[own]',
    'source/sql/aggregate-columns.ts functions[aggregate.fn]',
    'source/sql/aggregate.ts raw[at + part]',
    'source/sql/aggregate.ts row[name]',
    'source/sql/date-parts.ts sqliteFormats[part]',
    'source/sql/date-parts.ts mysqlFormats[part]',
    'source/sql/related.ts parts[part]',
    'source/sql/text.ts values[part]',
    'source/sql/steps.ts isByExists[table.dialect.relatedBy]',
    'source/drizzle/stated-columns.ts facts[name]',
    ...['store[name]', 'wraps[name]', 'methods[name]', 'methods[name]'].map(
      (text) => `source/wrapped.ts ${text}`,
    ),
    'model/text-comparisons.ts capabilities[needs[op]]',
    'source/layer.ts source[name]',
    ...['readers[family]', 'readers[family]'].map((text) => `source/typeorm/errors.ts ${text}`),
    'source/sql/types.ts fractionsOf[family]',
    'source/sql/types.ts byFamily[family]',
    'source/mikro-orm/errors.ts readers[family]',
    'source/prisma/errors.ts readers[family]',
    ...Array.from({ length: 3 }, () => 'source/sequelize/errors.ts readers[family]'),
    'source/sequelize/fields.ts validate?.[name]',
    'upload/storage.ts Object(storage)[name]',
  ],
  'a record has every field of its model itself, and what a test looks up is named in the suite': [
    ...['before[field.name]', 'row[field.name]', 'row[field.name]', 'values[name]'].map(
      (text) => `testing/memory-source.ts ${text}`,
    ),
    'testing/memory-relations.ts row[name]',
    'testing/source/aggregates.ts row[name]',
    'testing/source/aggregates.ts pairs[name]',
    'testing/source/relations.ts row[field]',
    'testing/source/sorting.ts row[sortName(key)]',
    'testing/source/capabilities.ts found[offer]',
    'testing/source/capabilities.ts expected[offer]',
    'testing/source/guards.ts authors()[method]',
    'testing/source/guards.ts authors()[method]',
    'testing/source/random.ts pairs[field.name]',
    'testing/source/random.ts pairs[name]',
    ...['row[name]', 'row[name]', 'edge?.[name]'].map((text) => `testing/source/sorting.ts ${text}`),
    'testing/source/stage.ts source().capabilities[capability]',
    ...['row[field]', 'table[name]', 'row[name]'].map((text) => `testing/source/stage.ts ${text}`),
    'testing/source/forms.ts row[name]',
    'testing/source/values.ts row?.[name]',
  ],
  'only what the object has itself is looked up': [
    'auth/tokens/keys.ts algorithms[name]',
    'host/fastify/docs.ts shared[id]',
    'model/objects.ts values[name]',
    'source/drizzle/describe-table.ts selectedFields[field]',
  ],
  'Node makes the object, of lower-case names of headers': ['host/node/request.ts headers[name]'],
  'the names are those that the object is gone through by': [
    'host/fastify/handlers.ts headers[name]',
    'host/fetch/answer.ts headers[name]',
    'host/node/response.ts headers[name]',
  ],
  'it is written, where no key is __proto__': [
    'host/paths.ts params[name]',
    'openapi/host-routes.ts paths[key]',
    'openapi/paths.ts paths[operation.path]',
    ...Array.from({ length: 3 }, () => 'model/objects.ts at[name]'),
    'schema/columns.ts stored[field.name]',
    'source/mikro-orm/entities.ts data[property]',
    ...['changes[name]', 'changes[name]'].map((text) => `source/sequelize/changes.ts ${text}`),
    'schema/custom/named.ts made[keyword]',
    'schema/serialiser.ts record[name]',
    'schema/serialiser.ts record[name]',
    'schema/serialiser.ts json[field.name]',
    'schema/serialiser.ts json[name]',
    'source/sql/bound-table.ts row[names[place] as string]',
    'source/prisma/records.ts data[name]',
  ],
  'a row of the source has all of these fields, and each reply asks': [
    ...['schema/serialiser.ts row[name]', 'schema/serialiser.ts (json as Values)[name]'],
  ],
  'it asks for what is inherited': [
    'schema/issues.ts name in Object.prototype',
    'source/drizzle/drivers.ts member in session.client',
  ],
  'the key is a number': [
    ...['Date', 'Hours', 'Minutes', 'Seconds'].map(
      (part) => `model/kinds/time.ts twoDigits[date.getUTC${part}()]`,
    ),
    'resource/show/include.ts lists[placeOf(at)]',
    'resource/show/include.ts placeByRow[row]',
    'source/sql/bound-table.ts raw[names.indexOf(name)]',
  ],
}

// The command line reads no rows and no requests.
const sources = readSources('src').filter(({ path }) => !path.startsWith('cli/'))

test('what may be named as anything is looked up among what an object has itself', () => {
  expect(sources.flatMap((file) => looseLookups(file, exceptions))).toEqual([])
})

test('every exception is needed', () => {
  const found = sources.flatMap((file) => looseLookups(file, {})).map((line) => line.replace(/:\d+ /, ' '))
  expect(
    Object.values(exceptions)
      .flat()
      .filter((exception) => !found.includes(exception)),
  ).toEqual([])
})

test.each([
  ['row[bound.field.name]', 'const given = choose(bound, row[bound.field.name], table)'],
  ['body[part.name]', 'body[part.name] = text'],
  ['values?.[name]', 'const value = values?.[name]'],
  ["row['x' + name]", "const value = row['x' + name]"],
  ['name in row', 'if (name in row) done()'],
])('%s is found', (found, text) => {
  expect(looseLookups({ path: 'a.ts', text }, {})).toEqual([`a.ts:1 ${found}`])
})

test.each([
  "row['id']",
  'parts[0]',
  'parts[at + 1]',
  'kinds[field.kind]',
  'request[SUSPENDED]',
  'body[Symbol.asyncIterator]',
  "'query' in error",
  'Object.hasOwn(row, name)',
])('%s is none', (text) => {
  expect(looseLookups({ path: 'a.ts', text }, {})).toEqual([])
})
