import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { buildDesk } from './app.ts'

const app = await buildDesk({
  database: process.env['DATABASE'] ?? join(import.meta.dirname, 'desk.db'),
  // A new key at each start logs all users out.
  secret: process.env['SECRET_KEY'] ?? randomBytes(64).toString('base64url'),
  media: join(import.meta.dirname, 'media'),
})
console.log(`${await app.listen({ port: Number(process.env['PORT'] ?? 3000) })}/docs`)
