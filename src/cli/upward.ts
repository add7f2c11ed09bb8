import { dirname } from 'node:path'

/** A folder and those above it, the nearest first. */
export const upward = (folder: string): readonly string[] => {
  const above = dirname(folder)
  return [folder, ...(above === folder ? [] : upward(above))]
}
