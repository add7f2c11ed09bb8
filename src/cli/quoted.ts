/** An argument as a person would type it: in quotes only if it has a character that the shell of the system reads. */
export const shellQuoted = (argument: string, system: NodeJS.Platform = process.platform): string => {
  if (system !== 'win32')
    return /^[\w./:=@,+-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`
  return /^[\w.\\/:=-]+$/.test(argument) ? argument : `"${argument.replaceAll('"', '\\"')}"`
}
