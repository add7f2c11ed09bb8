import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: './src/models.ts',
  out: './migrations',
  dbCredentials: { url: process.env['DATABASE_URL'] ?? '' },
})
