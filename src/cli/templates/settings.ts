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
  // DOCUMENTATION. The head of /api/docs and /api/openapi.json; CommonMark in a description.
  openapi: {
    title: '__TITLE__',
    version: '0.1.0',
    // description: 'What this API is for.',
    // servers: [{ url: 'https://api.example.com/api' }],
  },

  // LOGIN. true: users register and log in below /api/auth, and everything else needs their token. They are the table
  // `users` of models.ts, and SECRET_KEY in .env signs the tokens. See security.md and users.md.
  auth: false,

  // MODELS. What a table cannot say of itself: who reads and writes a field, the path, what `search` looks in.
  modelConfig: {
    Product: { readOnly: ['slug'] },
    // With login: everybody may read categories, and each user reaches their own record below /api/users.
    // Category: { public: 'read' },
    // User: { internal: false },
  },
  // exclude: { app: ['Category'] },

  // BODIES. Your own schemas of Zod, Valibot or ArkType instead of the generated ones. See schemas.md.
  // customSchemas: { Category: { create: z.strictObject({ name: z.string().trim().min(2).max(60) }) } },

  // PAGES. limit-offset (?limit=20&offset=40) unless you choose page-number (?page=3) or cursor.
  // paginationType: 'page-number',

  // FILES. A column `picture: image()` or `manual: file()` of modelrest/drizzle/sqlite takes uploads in a form. They are
  // kept in media/, unless you say where. See files.md.
  // storage: diskStorage({ directory: '/var/lib/app/media' }),

  // CONTROLLERS. Every file in controllers/ is found. A bundle leaves no files: name them instead. See controllers.md.
  // controllers: [ProductController],

  // HEALTH. /api/health/live says whether the process lives, /api/health/ready whether requests should come to it. Both are
  // public. See health.md.
  health: true,

  // OBSERVER. Is told of every operation and statement, for traces and metrics. modelrest/opentelemetry has one. See
  // observability.md.
  // observer: { operation: ({ operationId }) => ({ end: ({ status, seconds }) => console.log(operationId, status, seconds) }) },

  // SYNCHRONOUS. SQLite needs no promises.
  // isAsync: false,
}

/** How it is done: limits, lifetimes, secrets. */
export const settings = defineSettings({
  BASE_DIR: import.meta.dirname,
  SECRET_KEY: env.secretKey,

  // PAGES. The size where the request does not say, and the most that it may ask for.
  // NINJA_PAGINATION_PER_PAGE: 25,
  // NINJA_PAGINATION_MAX_LIMIT: 200,

  // LIMITS, in bytes and conditions.
  // JSON_BODY_LIMIT: 262_144,
  // UPLOAD_FILE_LIMIT: 10_485_760,
  // QUERY_MAX_CONDITIONS: 20,
  // QUERY_MAX_CONTAINS: 5,

  // LOGIN. STATEFUL: logout and refresh revoke tokens, a deleted user is refused at once. It remembers in this process:
  // several processes need CACHE: redisCache(…). See security.md.
  // SERVICE_AUTH: {
  //   STATEFUL: true,
  //   JWT_ACCESS_EXP: 900,
  //   LOGIN_FIELDS: ['email'],
  //   REGISTER_FIELDS: ['email', 'name'],
  //   TRUSTED_ORIGINS: ['https://app.example.com'],
  //   ON_LOGIN: (user) => console.log('logged in', user['id']),
  // },

  // FILES. Signed links hold for an hour unless you say so, in seconds.
  // MEDIA_URL_EXP: 600,

  // FORMS on your own routes by POST, PUT and PATCH: those with { preParsing: readForm }.
  // MIDDLEWARE: ['ProcessPutPatchMiddleware'],
})
