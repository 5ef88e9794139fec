"""Service that classifies URLs by a model of scikit-learn, as tutorials of FastAPI build it: peer-fastapi.py PORT.

The model is fitted at start on synthetic URLs: only its speed is measured, not its quality.
"""

import sys

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

EXAMPLES = 500
honest = [f"https://www.garden-{n}.example/news/{n}.html" for n in range(EXAMPLES)]
phishing = [f"http://paypal-login{n}.verify-account.example/signin?id={n}" for n in range(EXAMPLES)]

model = make_pipeline(HashingVectorizer(analyzer="char", ngram_range=(3, 5)), LogisticRegression())
model.fit(honest + phishing, [0] * EXAMPLES + [1] * EXAMPLES)

app = FastAPI()


class Request(BaseModel):
    url: str


# Not in a thread of the pool, which would take more processor time.
@app.post("/check")
async def check(request: Request):
    probability = float(model.predict_proba([request.url])[0][1])
    return {"url": request.url, "probability": probability, "is_phishing": probability >= 0.5}


uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
