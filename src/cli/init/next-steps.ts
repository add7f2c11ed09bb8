/**
 * What to do with a new project, line by line.
 *
 * @param folder its path from the working folder; empty where that is the project
 * @param modelrest what the project depends on
 * @param system whose prompt the steps are for
 */
export const nextSteps = (
  folder: string,
  modelrest: string,
  system: NodeJS.Platform = process.platform,
): readonly string[] => [
  `The project is in ${folder === '' ? 'this folder' : folder}. Start it:`,
  '',
  ...(folder === '' ? [] : [`  cd ${quoted(folder, system)}`]),
  '  npm install',
  '  npm run dev',
  '',
  'Then open http://localhost:3000/api/docs.',
  'Your tables are in models.ts. settings.ts says how to switch on login, files and all else. README.md says what is where.',
  ...(modelrest.startsWith('file:')
    ? [`It uses the modelrest of ${modelrest.slice('file:'.length)}: keep that where it is.`]
    : []),
]

/** For a shell, or the prompt of Windows. */
const quoted = (path: string, system: NodeJS.Platform): string => {
  if (system === 'win32') return /^[\w.\\/:-]+$/.test(path) ? path : `"${path}"`
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
