import { join } from 'node:path'
import { diskStorage } from 'modelrest'
import { defineSettings, type ModelRestOptions } from 'modelrest/fastify'
import { env, folder } from './env.ts'

// The options and settings of the API. Remove // before a line of code to turn it on.
// node_modules/modelrest/docs explains them all, settings.md every setting.

// Some lines need one of these imports:
// import { z } from 'zod'
// import { DemoItemController } from './controllers/demo-item.ts'

/** What the API serves, and to whom. */
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
  // The users are in the table `users` of models.ts, and SECRET_KEY in .env signs the tokens.

  // Model name -> what its table cannot say: who reads and writes a field, the path, what `search` looks in. See
  // docs/models.md.
  modelConfig: {
    DemoItem: {
      readOnly: ['slug'],
      // Everybody may read it, even with login.
      // public: 'read',
    },
    // With login, users can read and change their own record under /api/users.
    // User: { internal: false },
  },

  // App label -> what of it is not served. Default: nothing.
  // exclude: { app: ['User'] },

  // Model name -> schemas of Zod, Valibot or ArkType that replace the generated ones for its bodies. See
  // docs/schemas.md.
  // customSchemas: { DemoItem: { create: z.strictObject({ name: z.string().trim().min(2).max(60) }) } },

  // How lists are paged: `limit-offset`, `page-number` or `cursor`. Default: the setting `NINJA_PAGINATION_CLASS`.
  // paginationType: 'page-number',

  // Stores uploaded files. See docs/files.md. Default: the folder `media` in the setting `BASE_DIR`.
  storage: diskStorage({ directory: join(folder, 'media') }),

  // Hooks of models. `[]`: no file is read. A bundle has no files: name the controllers. See docs/controllers.md.
  // Default: those that the files in `controllers/` export.
  // controllers: [DemoItemController],

  // Serves `GET /health/live`, whether the process lives, and `GET /health/ready`, whether requests should come to it.
  // `true`: with the defaults. See docs/health.md. Default: false.
  health: true,

  // Is told of every operation and every statement, for traces, metrics and logs. `modelrest/opentelemetry` has one.
  // See docs/observability.md. Default: none.
  // observer: { operation: ({ operationId }) => ({ end: ({ status }) => console.log(operationId, status) }) },

  // Whether operations run asynchronously. `false` needs a synchronous driver, as better-sqlite3. Default: true.
  // isAsync: false,
}

/** Limits, lifetimes and secrets. */
export const settings = defineSettings({
  // The folder of the application, which holds `controllers/` and the folders of apps. Default: the working folder.
  BASE_DIR: import.meta.dirname,

  // Signs tokens, cursors and URLs of files. At least 32 bytes. Keep it secret: anyone who knows it can forge them.
  // Every process needs the same one.
  SECRET_KEY: env.secretKey,

  // Records on a page if the request does not say. Default: 100.
  // NINJA_PAGINATION_PER_PAGE: 25,

  // The most that `limit` may ask for. Default: 1000.
  // NINJA_PAGINATION_MAX_LIMIT: 200,

  // The most bytes of a JSON body. Default: 1048576.
  // JSON_BODY_LIMIT: 262_144,

  // The most bytes of an uploaded file. Default: 52428800.
  // UPLOAD_FILE_LIMIT: 10_485_760,

  // The most conditions in a query, up to 500. Default: 50.
  // QUERY_MAX_CONDITIONS: 20,

  // The most conditions that look for a part of a text, up to 1000. `search` counts once for each of its fields, and a
  // text once for every 50 characters. Default: 10.
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
