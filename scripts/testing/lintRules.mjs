/** Rules of this project that the linter does not bring itself. */

/**
 * What the rules read of the linter's interface, which exports no types for rules.
 * @typedef {{ value: string, loc: object }} Comment
 * @typedef {{ callee: { name?: string }, arguments: unknown[] }} NewExpression
 * @typedef {{ type: string, expression?: Expression }} Expression
 * @typedef {{ argument: Expression, parent: Expression }} Spread
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

/** The expression below parentheses and type assertions. @returns {Expression} */
const bare = (/** @type {Expression} */ node) =>
  /^(?:TSAs|TSSatisfies|Parenthesized)Expression$/.test(node.type) && node.expression ? bare(node.expression) : node;

/**
 * A literal that is spread in place adds nothing but a line: its members belong into the outer literal, call or
 * element.
 */
const noSpreadLiterals = {
  meta: { messages: { packed: 'Write the members directly: a spread of a literal only packs lines.' } },
  create: (/** @type {Context} */ context) => ({
    SpreadElement(/** @type {Spread} */ node) {
      const packed = node.parent.type === 'ObjectExpression' ? 'ObjectExpression' : 'ArrayExpression';
      if (bare(node.argument).type === packed) context.report({ node, messageId: 'packed' });
    },
    JSXSpreadAttribute(/** @type {Spread} */ node) {
      if (bare(node.argument).type === 'ObjectExpression') context.report({ node, messageId: 'packed' });
    },
  }),
};

export default {
  meta: { name: 'hangar' },
  rules: {
    'exceptions-give-reasons': exceptionsGiveReasons,
    'no-current-date': noCurrentDate,
    'no-spread-literals': noSpreadLiterals,
  },
};
