/** An argument as a person would type it: in quotes only if it has a character that the shell of the system reads. */
export const shellQuoted = (argument: string, system: NodeJS.Platform = process.platform): string => {
  if (system !== 'win32')
    return /^[\w./:=@,+-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`
  return /^[\w.\\/:=-]+$/.test(argument) ? argument : `"${argument.replaceAll('"', '\\"')}"`
}

/** An argument as it may be shown: without the user and the password of a URL. */
export const withoutPassword = (argument: string): string => argument.replace(/:\/\/.*@/s, '://…@')
