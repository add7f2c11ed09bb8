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

/**
 * A room is the longest entry that a file's path starts with: a folder with all below it, or one file.
 * A room may always import itself. A file in no room is refused: give it a row.
 */
export const rooms: Readonly<Record<string, Room>> = {
  error: { imports: [], pure: true },
  observe: { imports: [], pure: true },
  'observe/opentelemetry.ts': { imports: ['observe', 'error'], peers: ['@opentelemetry/api'] },
  model: { imports: ['error'], pure: true },
  query: { imports: ['model', 'error'], pure: true },
  schema: { imports: ['model', 'error'], peers: ['valibot', '@valibot/to-json-schema'], pure: true },
  source: { imports: sourcePort, pure: true },
  'source/sql': { imports: ['source', ...sourcePort], pure: true },
  'source/drizzle': { imports: ['source', 'source/sql', ...sourcePort], peers: ['drizzle-orm'] },
  'source/prisma': { imports: ['source', 'source/sql', ...sourcePort], peers: ['@prisma/client'] },
  // Only types: what it writes is what the source reads.
  'prisma-generator': { imports: ['error'], types: ['source/prisma'], peers: ['@prisma/generator-helper'] },
  'source/typeorm': { imports: ['source', 'source/sql', ...sourcePort], peers: ['typeorm'] },
  'source/mikro-orm': { imports: ['source', 'source/sql', ...sourcePort], peers: ['@mikro-orm/core'] },
  'source/sequelize': { imports: ['source', 'source/sql', ...sourcePort], peers: ['sequelize'] },
  'source/catalog': { imports: ['source', 'source/sql', ...sourcePort], pure: true },
  operation: { imports: ['model', 'query', 'schema', 'source', 'error', 'observe'] },
  cache: { imports: ['error', 'observe'] },
  upload: { imports: ['operation', 'model', 'schema', 'error', 'observe'], types: ['source'] },
  'upload/s3.ts': {
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
    imports: ['host', 'host/node', 'upload', 'error', 'observe'],
    types: ['operation'],
    peerTypes: ['fastify'],
  },
  'host/node': { imports: ['host', 'operation', 'error', 'observe'] },
  'host/express': {
    imports: ['host', 'host/node', 'error', 'observe'],
    types: ['operation'],
    peerTypes: ['express'],
  },
  'host/hono': {
    imports: ['host', 'host/fetch', 'host/node', 'operation', 'error', 'observe'],
    peerTypes: ['hono'],
  },
  'host/fetch': { imports: ['host', 'error', 'observe'], types: ['operation'] },
  'host/nest': {
    imports: ['host', 'host/node', 'host/express', 'host/fastify', 'error', 'observe'],
    types: ['operation'],
    peers: ['@nestjs/common', '@nestjs/core'],
    peerTypes: ['express', 'fastify'],
  },
  // The module of Nest creates the application, which knows nothing of Nest.
  nest: {
    imports: ['app', 'controller', 'host', 'host/nest', 'error', 'observe'],
    types: ['model'],
    peers: ['@nestjs/common', '@nestjs/core'],
  },
  // Who may import whom below `app/`: no cycle, which the same test holds.
  app: {
    imports: [
      ...[
        'error',
        'observe',
        'model',
        'query',
        'schema',
        'source',
        'operation',
        'cache',
        'upload',
        'controller',
      ],
      ...[
        'resource',
        'auth',
        'openapi',
        'health',
        'host',
        'host/fastify',
        'host/express',
        'host/hono',
        'host/fetch',
      ],
    ],
  },
  // The drivers are those of the project, whose names the command line loads.
  serve: {
    imports: ['app', 'source', 'source/catalog', 'source/sql', 'host/node', 'error', 'observe'],
    types: ['model'],
  },
  cli: {
    imports: ['app', 'serve', 'model', 'openapi', 'error', 'observe'],
    computed: true,
  },
  // What is published for adapters of others uses what is published to them, so this entry is not in `entry`.
  testing: {
    imports: [
      ...['entry', 'testing/suite', 'testing/host', 'testing/source'],
      ...['testing/cache', 'testing/storage', 'testing/stage'],
    ],
  },
  'testing/suite': { imports: [], peers: ['fast-check'] },
  'testing/host': { imports: ['testing/suite', 'host', 'operation', 'error'] },
  'testing/source': { imports: ['testing/suite', 'entry', 'model'], peerTypes: ['fast-check'] },
  'testing/cache': { imports: ['testing/suite', 'cache'] },
  'testing/storage': { imports: ['testing/suite', 'upload'] },
  'testing/stage': { imports: ['app', 'cache', 'host', 'host/fetch', 'model', 'error', 'observe'] },
  'index.ts': { imports: anything },
  entry: { imports: anything, peers: ['drizzle-orm'], peerTypes: ['fastify', 'express', 'hono'] },
}

/** The only modules of Node that a pure room may use: they compute and touch nothing. */
export const pureBuiltins: readonly string[] = [
  ...['node:async_hooks', 'node:buffer', 'node:crypto', 'node:util', 'node:url'],
  // Loads a declared dependency late.
  'node:module',
]
