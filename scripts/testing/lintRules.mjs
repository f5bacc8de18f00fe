/** Rules of this project that the linter does not bring itself. */

/**
 * What the two rules read of the linter's interface, which exports no types for rules.
 * @typedef {{ value: string, loc: object }} Comment
 * @typedef {{ callee: { name?: string }, arguments: unknown[] }} NewExpression
 * @typedef {{ sourceCode: { getAllComments(): Comment[] }, report(fault: object): void }} Context
 */

/** An exception to a rule is fine when it says why: `// oxlint-disable-next-line rule -- reason`. */
const exceptionsGiveReasons = {
  meta: { messages: { reason: 'Say why: `oxlint-disable… rule -- the reason`.' } },
  create: (/** @type {Context} */ context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        const exception = /^\s*(?:ox|es)lint-disable(?:-next-line|-line)?\b/.test(comment.value);
        if (exception && !/\s--\s+\S/.test(comment.value)) context.report({ loc: comment.loc, messageId: 'reason' });
      }
    },
  }),
};

/** `new Date()` reads the clock of the system, which a rule gets through a port. */
const noCurrentDate = {
  meta: { messages: { clock: 'Rules are pure: the time comes in through a port (see engine/domain/ports.ts).' } },
  create: (/** @type {Context} */ context) => ({
    NewExpression(/** @type {NewExpression} */ node) {
      if (node.callee.name === 'Date' && node.arguments.length === 0) context.report({ node, messageId: 'clock' });
    },
  }),
};

export default {
  meta: { name: 'hangar' },
  rules: { 'exceptions-give-reasons': exceptionsGiveReasons, 'no-current-date': noCurrentDate },
};
