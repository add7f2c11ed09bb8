import { randomBytes } from 'node:crypto'
import { buildDesk } from './app.ts'

// Without a key of your own, each start logs all users out.
const secret = process.env['SECRET_KEY'] ?? randomBytes(64).toString('base64url')
const app = await buildDesk(process.env['FOLDER'] ?? import.meta.dirname, secret, (address, text) =>
  console.log(`Mail to ${address}: ${text}`),
)
console.log(`${await app.listen({ port: Number(process.env['PORT'] ?? 3000) })}/docs`)
