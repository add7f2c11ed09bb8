import { expect, test } from 'vitest'
import { codeLines } from './code-rules.ts'
import { resolveImport } from './imports.ts'
import { publicNames } from './public-names.ts'
import { parse, readSources } from './source-files.ts'

const sources = readSources('src')

/** Names that our adapters import although no public subpath exports them, by the reason. */
type Reasons = Readonly<Record<string, readonly string[]>>

const ofDrizzle: Reasons = {
  'a few lines, which others write in their own way': [
    ...[
      'isPlainObject',
      'errorHandlingOf',
      'onceFor',
      'ownValue',
      'assertKnown',
      'suggest',
      'causesOf',
      ...['Note', 'linesOf'],
      'lazily',
    ],
  ],
  'refuses an old Node before it describes tables; ModelRest does so for others': ['assertNode'],
  'describes tables that are declared in code, with errors that name the code': [
    ...['PROTOTYPE', 'prototypeField', 'formsOf', 'kinds'],
  ],
  'only drizzle says which copy of a database an application chooses': ['readingReplicas'],
  'checks values of custom column types as responses do': [
    ...['Unrepresentable', 'unwrapped', 'canonical', 'plainNotation'],
  ],
}

const ofFastify: Reasons = {
  'forms in the own routes of the application': ['FormFile', 'SpooledForm', 'MultipartLimits'],
  'the router of Fastify finds the operations, not the table of routes': [
    ...[
      'HeadCall',
      'decodePath',
      'parameterName',
      'Params',
      'paramReader',
      'perMethod',
      'readTarget',
      'segmentsOf',
    ],
    ...[
      'finishWithoutBody',
      'nothingHere',
      'replyToError',
      'wrongMethod',
      'Instead',
      'ServeFacts',
      'WaitsForBody',
    ],
  ],
  'Fastify has read the request, or sends the response': [
    ...['assertHeaders', 'discardBody', 'gatherBody', 'headerOf', 'readableOf'],
  ],
  'applications of Fastify are recognised, so they need no defineHost': ['HostAdapter'],
  'a prefix of Fastify may have a form that a base cannot have': ['carrying', 'readPrefix'],
  'the errors of own routes': ['isForClients', 'ofServer', 'pointerTo', 'problem'],
  'a few lines, which others write in their own way': ['isRecord'],
}

const ofExpress: Reasons = {
  'it refuses a base in its own name': ['readBase'],
  'what it shares with nodeApp': ['middleware', 'MiddlewareHead', 'isNodeRequest'],
  'applications of Express are recognized, so they need no defineHost': [
    ...['HostAdapter', 'adapterFor', 'carryTable', 'isServedBy'],
  ],
  'the errors of own routes': ['HeadCall', 'nothingHere', 'ofServer', 'replyToError'],
  'requests of Express have a prototype for each application': ['decorateRequests'],
}

const ofHono: Reasons = {
  'it refuses a base in its own name': ['readBase'],
  'what it shares with fetchApp': ['FetchHead', 'bodyOf', 'responseParts'],
  'it waits for a turn in a handler that returns a promise': ['isNodeRequest', 'turnAfter'],
  'Hono keeps a body that it has read': ['tooLarge'],
  'applications of Hono are recognized, so they need no defineHost': [
    ...['HostAdapter', 'adapterFor', 'carryTable', 'isServedBy', 'misplaced'],
  ],
  'the errors of own routes': ['HeadCall', 'nothingHere', 'ofServer', 'replyToError'],
}

const ofNest: Reasons = {
  'it refuses a base in its own name': ['readBase', 'readPrefix'],
  'what it shares with the hosts of Express and Fastify': [...['mountable', 'fastifyHost', 'respond']],
  'metadata of handlers, which exist before requests': ['servingOf', 'operationOfAnyRequest'],
  'the logger of Nest writes texts': ['textLog'],
  'the errors of own routes': ['HeadCall', 'ofServer', 'replyToError'],
}

const ofFetch: Reasons = {
  'a record of headers is sent as it is if they are valid': ['isHeaderLine'],
  'it refuses a base in its own name': ['readBase'],
  'the response if a lazy application cannot start': ['HeadCall', 'failureLog', 'problem', 'replyToError'],
}

/** The names that files of a folder import from rooms of the port, without those that `entry` and the main entry export. */
const unpublished = (folder: string, entry: string, port: RegExp): readonly string[] => {
  const published = [entry, 'index.ts'].map((path) => publicNames(path, sources))
  const known = new Set(published.flatMap(({ values, types }) => [...values, ...types]))
  const imported = sources
    .filter(({ path }) => path.startsWith(folder))
    .flatMap((file) =>
      parse(file).imports.flatMap(({ moduleRequest, entries }) => {
        const from = resolveImport(file.path, moduleRequest.value)
        if (!from || from.startsWith(folder) || !port.test(from)) return []
        return entries.map(({ importName }) => importName.name ?? importName.kind)
      }),
    )
  return [...new Set(imported)].filter((name) => !known.has(name)).sort()
}

test.each([
  ['source/drizzle/', 'entry/source.ts', /^(model|query|error|observe|source)\/(?!sql\/)/, ofDrizzle],
  ['host/fastify/', 'entry/host.ts', /^(operation|upload|error|observe|host)\//, ofFastify],
  ['host/express/', 'entry/host.ts', /^(operation|upload|error|observe|host)\//, ofExpress],
  ['host/hono/', 'entry/host.ts', /^(operation|upload|error|observe|host)\//, ofHono],
  ['host/nest/', 'entry/host.ts', /^(operation|upload|error|observe|host)\//, ofNest],
  ['host/fetch/', 'entry/host.ts', /^(operation|upload|error|observe|host)\//, ofFetch],
] as const)(
  '%s imports from the port what %s publishes, with few exceptions',
  (folder, entry, port, reasons) => {
    const excepted = Object.values<readonly string[]>(reasons).flat()
    expect(unpublished(folder, entry, port)).toEqual(excepted.toSorted())
  },
)

/** Adapters on the open port. Fastify has a router of its own, and what `fetchApp` and Hono share is in `host/fetch/`. */
test.each(['host/express/', 'host/hono/'])('%s has at most 150 lines of code', (folder) => {
  const files = sources.filter(({ path }) => path.startsWith(folder))
  expect(files.map(codeLines).reduce((sum, lines) => sum + lines, 0)).toBeLessThanOrEqual(150)
})
