import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'mysql',
  schema: './src/models.ts',
  out: './migrations',
  dbCredentials: { url: process.env['DATABASE_URL'] ?? '' },
})
