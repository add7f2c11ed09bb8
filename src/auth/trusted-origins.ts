import { StartError } from '../error/start-error.ts'

/** @throws StartError for what a browser never sends as `Origin`, so that it would silently trust nobody */
export const assertOrigins = (origins: readonly string[]): void => {
  for (const text of origins) {
    const origin = originOf(text)
    if (origin === text) continue
    throw new StartError(
      `The setting SERVICE_AUTH.TRUSTED_ORIGINS holds ${JSON.stringify(text)}, which is no origin. Write ${JSON.stringify(origin ?? 'https://app.example.com')}: scheme, host and port where it is not the scheme's own.`,
    )
  }
}

/** Of an application in a phone the scheme is its own: `capacitor://localhost`. */
const originOf = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined
  const { protocol, host } = new URL(text)
  return host === '' || host.includes('*') ? undefined : `${protocol}//${host}`
}
