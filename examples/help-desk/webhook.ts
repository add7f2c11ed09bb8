const headers = { 'content-type': 'application/json' }

/** Sends a message to `WEBHOOK_URL`. Without this variable, it does nothing. */
export const notify = async (message: object): Promise<void> => {
  const url = process.env['WEBHOOK_URL']
  const body = JSON.stringify(message)
  if (url) await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(5_000) })
}
