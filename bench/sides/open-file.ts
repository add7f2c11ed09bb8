import Database from 'better-sqlite3'

/** As one opens a file in production: readers do not wait for a writer. */
export const openFile = (file: string): Database.Database => {
  const client = new Database(file)
  client.pragma('journal_mode = WAL')
  client.pragma('synchronous = NORMAL')
  return client
}
