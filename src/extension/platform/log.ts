/** The diagnostic log. Must never receive secrets, prompts or file contents. */
export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string, cause?: unknown): void;
}
