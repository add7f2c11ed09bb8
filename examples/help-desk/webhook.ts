/** Tells another program what happened. Without the variable `WEBHOOK_URL`, nobody is told. */
export const notify = async (message: object): Promise<void> => {
  const url = process.env['WEBHOOK_URL']
  if (url === undefined) return
  await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(message),
    signal: AbortSignal.timeout(5_000),
  })
}
