/* A command whose processes do not end when they are asked to: a child, a grandchild, and one in a session of its own. */

/** Each process writes its number into one of these, in the folder where the command runs. */
export const treeFiles = ['root.pid', 'child.pid', 'grandchild.pid', 'away.pid'] as const;

const stubborn = "trap '' TERM INT HUP";

export const treeCommand = [
  stubborn,
  'echo $$ > root.pid',
  `bash -c "${stubborn}; echo \\$\\$ > child.pid; bash -c 'trap : TERM INT HUP; echo \\$\\$ > grandchild.pid; while :; do sleep 1; done' & while :; do sleep 1; done" &`,
  `setsid bash -c "${stubborn}; echo \\$\\$ > away.pid; while :; do sleep 1; done" &`,
  'while :; do sleep 1; done',
].join('\n');
