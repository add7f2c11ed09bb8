/** The library of property tests, which only those who run the contract suites need. @throws Error if it is not installed */
export const fastCheck = async (): Promise<typeof import('fast-check')> => {
  try {
    return await import('fast-check')
  } catch (cause) {
    throw new Error('This test needs fast-check. Install it: npm install --save-dev fast-check', { cause })
  }
}
