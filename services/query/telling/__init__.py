"""Telling: from a context to text, outline and diagram, by a language model or from the evidence alone. Pure, but for asking the model.

generate     start here: who writes, and what happens when a model fails
prompt       what a language model is sent
citations    every sentence against the indexed text, while it streams; markup is what may stand in it
threads      which events answer the question, of all that the flow holds
extractive   an explanation from the evidence: lead, steps, users, types, documents
outline      the same story as nested steps, or as a model's JSON
diagram      the same story as arrows
wording      sentences: from a doc comment, else from names (phases, trivial), statements (deeds), decisions (branches) and comments
"""
