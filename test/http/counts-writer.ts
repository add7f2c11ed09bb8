// Inserts a row at a time and says when each is there: fork(counts-writer.ts, [url]). It ends when it is disconnected.
import pg from 'pg'

const client = new pg.Client(process.argv[2])
await client.connect()
while (process.connected) {
  await client.query('insert into rows (name) values ($1)', ['new'])
  // Whoever listened may be gone by now.
  process.send?.('written', () => undefined)
}
await client.end()
