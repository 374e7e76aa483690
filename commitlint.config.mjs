// CI checks the commits of a pull request by these. https://commitlint.js.org/reference/rules
export default {
  extends: ['@commitlint/config-conventional'],
  rules: {
    'header-max-length': [2, 'always', 120],
    'body-max-line-length': [2, 'always', 130],
    'subject-case': [0], // names of products begin a subject now and then
  },
};
