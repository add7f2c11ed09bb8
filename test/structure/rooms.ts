/** Who may import whom. The table of the architecture, as data. */
export interface Room {
  /** Rooms that it may import, types and values. */
  readonly imports: readonly string[]
  /** Rooms of which it may import types alone. */
  readonly types?: readonly string[]
  /** Optional peer dependencies that it may import. Declared dependencies and required peers need no entry. */
  readonly peers?: readonly string[]
  /** Optional peer dependencies of which it may import types alone. */
  readonly peerTypes?: readonly string[]
  /** It does no input or output: no `node:` module but those that compute. */
  readonly pure?: true
  /** It may import files of the application, whose names are known at run time. */
  readonly computed?: true
}

const anything = ['*'] as const

const sourcePort = ['model', 'query', 'error', 'observe']
const hostPort = ['operation', 'upload', 'error', 'observe']

const aboveTheRoot = [
  ...['error', 'observe', 'model', 'query', 'schema', 'source', 'operation', 'cache', 'upload', 'controller'],
  ...['resource', 'auth', 'openapi', 'health', 'host', 'host/fastify', 'host/fetch', 'options.ts'],
]

/**
 * A room is the longest entry that a file's path starts with: a folder with all below it, or one file.
 * A room may always import itself. A file in no room is refused: give it a row.
 */
export const rooms: Readonly<Record<string, Room>> = {
  error: { imports: [], pure: true },
  observe: { imports: [], pure: true },
  'observe/opentelemetry': { imports: ['observe', 'error'], peers: ['@opentelemetry/api'] },
  model: { imports: ['error'], pure: true },
  query: { imports: ['model', 'error'], pure: true },
  schema: { imports: ['model', 'error'], peers: ['valibot', '@valibot/to-json-schema'], pure: true },
  source: { imports: sourcePort, pure: true },
  'source/drizzle': { imports: ['source', ...sourcePort], peers: ['drizzle-orm'] },
  operation: { imports: ['model', 'query', 'schema', 'source', 'error', 'observe'] },
  cache: { imports: ['error', 'observe'] },
  upload: { imports: ['operation', 'model', 'schema', 'error', 'observe'], types: ['source'] },
  'upload/storage/s3': {
    imports: ['upload', 'error'],
    peers: ['@aws-sdk/client-s3', '@aws-sdk/lib-storage', '@aws-sdk/s3-request-presigner'],
  },
  controller: {
    imports: ['operation', 'model', 'schema', 'query', 'error', 'observe'],
    types: ['source'],
    computed: true,
  },
  resource: {
    imports: [
      ...['operation', 'controller', 'model', 'query', 'schema', 'source', 'upload', 'error', 'observe'],
    ],
  },
  auth: {
    imports: [
      ...['operation', 'controller', 'cache', 'model', 'query', 'schema', 'source', 'error', 'observe'],
    ],
  },
  openapi: { imports: ['operation', 'model', 'schema', 'error'] },
  health: { imports: ['operation', 'source', 'cache', 'error'] },
  host: { imports: hostPort },
  'host/fastify': {
    imports: ['host', 'upload', 'error', 'observe'],
    types: ['operation'],
    peerTypes: ['fastify'],
  },
  'host/fetch': { imports: ['host', 'upload', 'error', 'observe'], types: ['operation'] },
  'options.ts': {
    imports: aboveTheRoot.filter((room) => room !== 'options.ts' && !room.startsWith('host/')),
  },
  'inspection.ts': { imports: [], pure: true },
  'hosts.ts': { imports: ['error', 'host', 'host/fastify', 'host/fetch', 'inspection.ts'] },
  'authentication.ts': {
    imports: ['error', 'model', 'operation', 'source', 'auth', 'options.ts'],
    types: ['host'],
  },
  'auth-routes.ts': {
    imports: [
      ...['error', 'model', 'operation', 'source', 'auth', 'host', 'options.ts'],
      ...['authentication.ts', 'hosts.ts', 'start.ts'],
    ],
  },
  'files.ts': { imports: ['error', 'model', 'resource', 'upload', 'options.ts'] },
  'signing-key.ts': { imports: ['error', 'host', 'auth', 'options.ts'] },
  'media.ts': { imports: ['model', 'upload', 'host', 'options.ts', 'signing-key.ts'] },
  'users.ts': { imports: ['error', 'model', 'schema', 'source', 'controller', 'auth'] },
  'limits.ts': { imports: ['query', 'operation', 'resource', 'options.ts', 'signing-key.ts'] },
  'controllers.ts': { imports: ['error', 'model', 'controller', 'options.ts'] },
  'start.ts': { imports: ['error', 'observe', 'model', 'operation', 'source', 'host'] },
  'setup.ts': {
    imports: [
      ...aboveTheRoot,
      ...['limits.ts', 'hosts.ts', 'authentication.ts', 'users.ts', 'files.ts', 'media.ts', 'signing-key.ts'],
    ],
  },
  'health-checks.ts': { imports: ['error', 'model', 'operation', 'health', 'setup.ts'] },
  'registration.ts': {
    imports: [
      ...aboveTheRoot,
      ...['setup.ts', 'start.ts', 'controllers.ts', 'users.ts', 'health-checks.ts', 'inspection.ts'],
    ],
  },
  'model-rest.ts': { imports: [...aboveTheRoot, 'setup.ts', 'registration.ts', 'start.ts', 'inspection.ts'] },
  cli: {
    imports: ['model-rest.ts', 'options.ts', 'openapi', 'inspection.ts', 'error', 'observe'],
    computed: true,
  },
  'index.ts': { imports: anything },
  entry: { imports: anything, peers: ['drizzle-orm'], peerTypes: ['fastify'] },
}

/** The only modules of Node that a pure room may use: they compute and touch nothing. */
export const pureBuiltins: readonly string[] = ['node:buffer', 'node:crypto', 'node:util', 'node:url']
