import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'sqlite',
  schema: './models.ts',
  out: './migrations',
  dbCredentials: { url: process.env['DATABASE'] ?? 'data/app.db' },
})
