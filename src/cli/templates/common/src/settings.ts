import { join } from 'node:path'
import { diskStorage } from 'modelrest'
import { defineSettings, type ModelRestOptions } from 'modelrest/fastify'
import { env, folder } from './env.ts'

// The options and settings of the API. Remove // before a line of code to turn it on. See the guides in
// node_modules/modelrest/docs; settings.md lists every setting.

// Some lines need one of these imports:
// import { z } from 'zod'
// import { DemoItemController } from './controllers/demo-item.ts'

/** The models that the API serves, and the callers that it serves them to. */
export const options: Omit<ModelRestOptions, 'models' | 'settings'> = {
  // The title and other metadata of the OpenAPI document, the look of `/docs`, and whether they are public. See
  // docs/openapi.md.
  openapi: {
    title: '__TITLE__',
    version: '0.1.0',
    // description: 'What this API is for.',
    // servers: [{ url: 'https://api.example.com/api' }],
  },

  // How callers are authenticated. `true`: users register and log in below `/auth` and send the tokens that they get.
  // `{ authenticate(request) }`: your own function returns the caller of a request. Both protect every endpoint of a
  // model, unless `modelConfig.DemoItem.public` or the `permissions` of a controller open it. See docs/security.md.
  // Default: false, everything is public.
  auth: false,
  // The users are in the table `users` of models.ts, and SECRET_KEY in .env signs the tokens.

  // Model name -> settings that a table does not have: fields that clients may not read or write, the path, the fields
  // that `search` covers. See docs/models.md.
  modelConfig: {
    DemoItem: {
      readOnly: ['slug'],
      // Anyone may read it, even with login.
      // public: 'read',
    },
    // With login, users can read and change their own record under /api/users.
    // User: { internal: false },
  },

  // App label -> the models of the app that are not served. Default: none.
  // exclude: { app: ['User'] },

  // Model name -> schemas of Zod, Valibot or ArkType that replace the generated schemas of its bodies. See
  // docs/schemas.md.
  // customSchemas: { DemoItem: { create: z.strictObject({ name: z.string().trim().min(2).max(60) }) } },

  // How lists are paged: `limit-offset`, `page-number` or `cursor`, or a list of them. The first is the default, and
  // requests choose the others. See docs/queries.md. Default: the setting `paginationClass`.
  // paginationType: 'page-number',

  // Stores uploaded files. See docs/files.md. Default: the folder `media` in the setting `baseDir`.
  storage: diskStorage({ directory: join(folder, 'media') }),

  // The controllers of models. List them if you bundle the application, because a bundle has no `controllers/` folder.
  // With `[]`, no files are read. See docs/controllers.md. Default: the controllers that the files in `controllers/`
  // export.
  // controllers: [DemoItemController],

  // Serves `GET /health/live` (liveness) and `GET /health/ready` (readiness). `true` uses the defaults. See
  // docs/health.md. Default: false.
  health: true,

  // Observes every operation and every statement, for traces, metrics and logs. `modelrest/opentelemetry` exports one.
  // See docs/observability.md. Default: none.
  // observer: { operation: ({ operationId }) => ({ end: ({ status }) => console.log(operationId, status) }) },

  // Whether operations run asynchronously. `false` needs a synchronous driver, such as better-sqlite3. Default: true.
  // isAsync: false,
}

/** Limits, lifetimes and secrets. */
export const settings = defineSettings({
  // The folder of the application, which contains `controllers/` and the folders of apps. Default: the working
  // directory.
  baseDir: import.meta.dirname,

  // Signs tokens, cursors and file URLs. At least 32 bytes. Keep it secret: anyone who has it can forge them. All
  // processes need the same key.
  secretKey: env.secretKey,

  // The page size of requests that do not set one. Default: 100.
  // pageSize: 25,

  // The largest page size that a request may set. Default: 1000.
  // maxPageSize: 200,

  // The maximum size of a JSON body in bytes. Default: 1048576.
  // jsonBodyLimit: 262_144,

  // The maximum size of an uploaded file in bytes. Default: 52428800.
  // uploadFileLimit: 10_485_760,

  // The maximum number of conditions in a query, up to 500. Each relation in the name of a field counts as one more.
  // Default: 50.
  // queryMaxConditions: 20,

  // The maximum number of conditions that search for a substring, up to 1000. `search` counts once for each of its
  // fields, and each string once per 50 characters. Default: 10.
  // queryMaxContains: 5,

  // Tokens, cookies, login and registration. See docs/security.md.
  // auth: {
  //   stateful: true,
  //   apiKeys: true,
  //   jwtAccessExp: 900,
  //   loginFields: ['email'],
  //   registerFields: ['email', 'name'],
  //   trustedOrigins: ['https://app.example.com'],
  //   onLogin: (user) => console.log('logged in', user['id']),
  // },

  // The minimum lifetime of a signed file URL in seconds, up to 302400; a URL stays valid for less than twice as long.
  // The URL of a file changes only once in this time, so responses can be cached. Default: 3600.
  // mediaUrlExp: 600,

  // Middleware for the application's own routes: `ProcessPutPatchMiddleware` parses the forms of PUT and PATCH like
  // those of POST. On Fastify, it needs `preParsing: readForm` on the route. Default: none.
  // middleware: ['ProcessPutPatchMiddleware'],
})
