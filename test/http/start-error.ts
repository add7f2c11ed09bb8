import { expect } from 'vitest'
import { naming } from '../naming.ts'

/** A mistake that is found at start, with all of these names in its message: `expect(start).toThrow(startError('Usr'))`. */
export const startError = (...names: readonly (string | number)[]): unknown =>
  expect.objectContaining({ name: 'StartError', message: expect.stringMatching(naming(...names)) })
