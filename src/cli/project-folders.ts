import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readJson } from './client/read-json.ts'

/** A folder and those above it, the nearest first. */
export const upward = (folder: string): readonly string[] => {
  const above = dirname(folder)
  return [folder, ...(above === folder ? [] : upward(above))]
}

/**
 * A folder and those above it as far as the root of its workspace or package, the nearest first. Folders above that may
 * be other users': nothing of them is run or read.
 */
export const projectFolders = (folder: string): readonly string[] => {
  const all = upward(folder)
  const root = all.findIndex(isWorkspaceRoot)
  const last = root === -1 ? all.findIndex((each) => existsSync(join(each, 'package.json'))) : root
  return all.slice(0, Math.max(last, 0) + 1)
}

const isWorkspaceRoot = (folder: string): boolean =>
  ['pnpm-workspace.yaml', '.git'].some((name) => existsSync(join(folder, name))) || hasWorkspaces(folder)

const hasWorkspaces = (folder: string): boolean => {
  try {
    return Object.hasOwn(Object(readJson(join(folder, 'package.json'))), 'workspaces')
  } catch {
    return false
  }
}
