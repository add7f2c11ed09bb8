export default {
  // It reads files of its own package.
  serverExternalPackages: ['modelrest'],
  // Its paths work with and without a slash at the end.
  skipTrailingSlashRedirect: true,
}
