import { defineSettings, type ModelRestOptions } from 'modelrest/fastify'
import { env } from './env.ts'

// What the API does. Take the // away before a line of code to switch it on.
// node_modules/modelrest/docs explains all of it, settings.md every setting.

// Some of it needs one of these:
// import { diskStorage } from 'modelrest'
// import { z } from 'zod'
// import { ProductController } from './controllers/product.ts'

/** What is served, and to whom. */
export const options: Omit<ModelRestOptions, 'models' | 'settings'> = {
  // The head of the OpenAPI document, and who may read it. See docs/openapi.md.
  openapi: {
    title: '__TITLE__',
    version: '0.1.0',
    // description: 'What this API is for.',
    // servers: [{ url: 'https://api.example.com/api' }],
  },

  // How users are known. `true`: they register and log in below `/auth`, and send the tokens that they get.
  // `{ authenticate(request) }`: your own function says who sent a request. Everything that is served for models then
  // needs a caller, unless `modelConfig.Product.public` or the `permissions` of a controller open it. See
  // docs/security.md. Default: false, everything is public.
  auth: false,
  // The users are the table `users` of models.ts, and SECRET_KEY in .env signs the tokens.

  // Model name -> what its table cannot say: who reads and writes a field, the path, what `search` looks in. See
  // docs/models.md.
  modelConfig: {
    Product: { readOnly: ['slug'] },
    // With login: everybody may read categories, and each user reaches their own record below /api/users.
    // Category: { public: 'read' },
    // User: { internal: false },
  },

  // App label -> what of it is not served. Default: nothing.
  // exclude: { app: ['Category'] },

  // Model name -> schemas of Zod, Valibot or ArkType that replace the generated ones for its bodies. See
  // docs/schemas.md.
  // customSchemas: { Category: { create: z.strictObject({ name: z.string().trim().min(2).max(60) }) } },

  // How lists are paged: `limit-offset`, `page-number` or `cursor`. Default: the setting `NINJA_PAGINATION_CLASS`.
  // paginationType: 'page-number',

  // Stores uploaded files. See docs/files.md. Default: the folder `media` in the setting `BASE_DIR`.
  // storage: diskStorage({ directory: '/var/lib/app/media' }),

  // Hooks of models. `[]`: no file is read. A bundle has no files: name the controllers. See docs/controllers.md.
  // Default: those that the files in `controllers/` export.
  // controllers: [ProductController],

  // Serves `GET /health/live`, whether the process lives, and `GET /health/ready`, whether requests should come to it.
  // `true`: with the defaults. See docs/health.md. Default: false.
  health: true,

  // Is told of every operation and every statement, for traces, metrics and logs. `modelrest/opentelemetry` has one.
  // See docs/observability.md. Default: none.
  // observer: { operation: ({ operationId }) => ({ end: ({ status, seconds }) => console.log(operationId, status, seconds) }) },

  // Whether operations run asynchronously. `false` needs a synchronous driver, as better-sqlite3. Default: true.
  // isAsync: false,
}

/** How it is done: limits, lifetimes, secrets. */
export const settings = defineSettings({
  // The folder of the application, which holds `controllers/` and the folders of apps. Default: the working folder.
  BASE_DIR: import.meta.dirname,

  // Signs tokens, cursors and URLs of files. At least 32 bytes. Keep it secret: anyone who knows it can forge them.
  // Every process needs the same one.
  SECRET_KEY: env.secretKey,

  // Records per page if the request does not have `limit`. Default: 100.
  // NINJA_PAGINATION_PER_PAGE: 25,

  // The largest `limit` of a request. Default: 1000.
  // NINJA_PAGINATION_MAX_LIMIT: 200,

  // The most bytes of a JSON body. Default: 1048576.
  // JSON_BODY_LIMIT: 262_144,

  // The most bytes of an uploaded file. Default: 52428800.
  // UPLOAD_FILE_LIMIT: 10_485_760,

  // Maximum number of conditions in a query, up to 500. Default: 50.
  // QUERY_MAX_CONDITIONS: 20,

  // Maximum number of conditions that search inside texts, up to 1000. `search` counts once for each of its fields, and
  // a text once for every 50 characters. Default: 10.
  // QUERY_MAX_CONTAINS: 5,

  // Tokens, cookies, login and registration. See docs/security.md.
  // SERVICE_AUTH: {
  //   STATEFUL: true,
  //   JWT_ACCESS_EXP: 900,
  //   LOGIN_FIELDS: ['email'],
  //   REGISTER_FIELDS: ['email', 'name'],
  //   TRUSTED_ORIGINS: ['https://app.example.com'],
  //   ON_LOGIN: (user) => console.log('logged in', user['id']),
  // },

  // Seconds that a signed URL of a file holds at least, and less than twice as long, up to 302400. Meanwhile it stays
  // the same, so that replies can be cached. Default: 3600.
  // MEDIA_URL_EXP: 600,

  // Middleware of the application's own routes: `ProcessPutPatchMiddleware` parses forms of PUT and PATCH as those of
  // POST; on Fastify, routes with `preParsing: readForm` read them. Default: none.
  // MIDDLEWARE: ['ProcessPutPatchMiddleware'],
})
