export const keptErrors = 'beaconry/errors'
