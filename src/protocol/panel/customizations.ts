/* Customizations: servers, commands, agents, skills and tools of a user, workspace or extension. */

/** `extension`: an installed extension with a `gemini-extension.json`. */
export type OriginKind = 'builtIn' | 'person' | 'workspace' | 'extension';

/** `settings`: values that a settings file sets for Folio itself. */
export type CustomizationKind =
  | 'hook'
  | 'server'
  | 'command'
  | 'agent'
  | 'skill'
  | 'extension'
  | 'tools'
  | 'settings';

/** A customization of a trusted workspace that is off until the user allows it. */
export interface PendingCustomization {
  /** Identifies this exact content, so that a decision covers only what was shown. */
  readonly id: string;
  readonly kind: CustomizationKind;
  readonly name: string;
  /** One line about its effect, such as the command of a server or the description of an agent. */
  readonly detail: string;
  /** File that defines it, relative to the workspace. */
  readonly file: string;
}
