/** The operating system and what runs on it, for the user. */
export function describeSystem(): string {
  return `${process.platform} ${process.arch}, Node ${process.versions.node}`;
}
